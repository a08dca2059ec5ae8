//! What every game must pass: conformance, drawn boards, the naive oracle.
