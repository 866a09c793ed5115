//! Lists of hosts and files of keys.

use map_cluster::{Hosts, Key, KeyError};

fn fault(text: &str) -> String {
    Hosts::parse(text).unwrap_err().to_string()
}

#[test]
fn hosts_are_addresses_and_names_with_ports() {
    let text = "# the big ones\n10.0.0.1:7001  # first\n\n[::1]:7002\r\n\tnode-3.cluster_a:7003";
    let hosts = Hosts::parse(text).unwrap();
    assert_eq!(hosts.to_string(), "10.0.0.1:7001\n[::1]:7002\nnode-3.cluster_a:7003\n");
    assert_eq!(hosts.count(), 3);
    assert_eq!(hosts.name(1), "process 1 ([::1]:7002)");
    assert_eq!(Hosts::parse(&hosts.to_string()), Ok(hosts));
}

#[test]
fn faults_in_hosts_are_named_with_their_lines() {
    assert_eq!(fault(" # nobody\n"), "no process is listed");
    assert_eq!(fault("a:1\n\nnode"), "line 3: `node` has no port; write `node:7001`");
    assert_eq!(fault("a:70000"), "line 1: `70000` is no port; ports are numbers from 1 to 65535");
    assert_eq!(fault("a:0"), "line 1: `0` is no port; ports are numbers from 1 to 65535");
    assert_eq!(fault("::1:7001"), "line 1: an IPv6 address is written in brackets: `[::1]:7001`");
    assert_eq!(fault("[::g]:7001"), "line 1: `[::g]` is no IPv6 address in brackets");
    assert_eq!(fault("a:1\nb:1\na:1"), "line 3: `a:1` is listed twice");
    assert_eq!(fault("http://a:1"), "line 1: an IPv6 address is written in brackets: `[http://a]:1`");
    assert_eq!(fault("a b:1"), "line 1: `a b` is neither an address nor the name of a machine");
    assert_eq!(fault(":1"), "line 1: `` is neither an address nor the name of a machine");
}

#[test]
fn ports_on_this_machine_differ() {
    let hosts = Hosts::on_this_machine(5).unwrap().to_string();
    assert_eq!(Hosts::parse(&hosts).unwrap().count(), 5);
}

#[test]
fn keys_are_digits_or_anything_long_enough() {
    let key = Key::random().unwrap();
    assert!(key != Key::random().unwrap());
    let digits = key.to_hex();
    assert!(Key::from_content(digits.as_bytes()).unwrap() == key);
    assert!(Key::from_content(format!("{}\r\n", digits.to_uppercase()).as_bytes()).unwrap() == key);
    let phrase = Key::from_content(b"correct horse battery staple, and then some\n").unwrap();
    assert!(phrase == Key::from_content(b"correct horse battery staple, and then some").unwrap());
    assert!(phrase != Key::from_content(b"correct horse battery staple, and then sum").unwrap());
    assert!(matches!(Key::from_content(b"0123456789abcdef0123456789abcde\n"), Err(KeyError::Short(31))));
    assert!(matches!(Key::from_content(&vec![b'a'; (1 << 20) + 1]), Err(KeyError::Large)));
    assert_eq!(format!("{key:?}"), "Key(..)");
}

#[cfg(unix)]
#[test]
fn a_key_that_everybody_can_read_is_none() {
    use std::fs::{Permissions, set_permissions};
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&[b'x'; 40]).unwrap();
    for (mode, refused) in [(0o600, false), (0o640, false), (0o644, true), (0o602, true)] {
        set_permissions(file.path(), Permissions::from_mode(mode)).unwrap();
        let read = Key::read(file.path());
        assert_eq!(matches!(read, Err(KeyError::Public)), refused, "{mode:o}");
        assert_eq!(read.is_ok(), !refused, "{mode:o}");
    }
    assert!(matches!(Key::read(&file.path().join("none")), Err(KeyError::Unreadable(_))));
}
