//! The samples obey every law.

use senet_core::Plain;
use senet_testkit::{conformance, sample};

conformance!(skirmish, sample::skirmish(), &Plain, "skirmish.txt");
conformance!(dash, sample::dash(), &Plain, "dash.txt");
conformance!(league, sample::league(), &Plain, "league.txt");
conformance!(errand, sample::errand(), &Plain, "errand.txt");
conformance!(hurdle, sample::hurdle(), &Plain, "hurdle.txt");
