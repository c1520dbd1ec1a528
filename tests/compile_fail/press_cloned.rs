//! One press, one decision.

use keytide::gate::arming::ArmedPress;

pub fn twice(press: ArmedPress) -> (ArmedPress, ArmedPress) {
    (press.clone(), press) //~ E0599
}
