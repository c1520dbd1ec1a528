//! One proof, one run.

use keytide::gate::Approved;

pub fn twice(approved: Approved) -> (Approved, Approved) {
    (approved.clone(), approved) //~ E0599
}
