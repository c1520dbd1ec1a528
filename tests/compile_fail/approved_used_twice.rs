//! A proof is used up by the run.

use keytide::app::effect::Effect;
use keytide::gate::Approved;

pub fn twice(approved: Approved) -> [Effect; 2] {
    [Effect::CallTool(approved), Effect::CallTool(approved)] //~ E0382
}
