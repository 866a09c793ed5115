//! The machine's memory and this process's use of it, in bytes, where the system reports them (Linux's `/proc`).

use std::fs;
use std::path::Path;

/// The default limit where the system does not report its memory: 4 GiB.
const FALLBACK: u64 = 4 << 30;

/// What a search may use if nothing else is said: three quarters of the machine's memory, or of what the control groups
/// of this process (those of a container, for example) allow, if that is less.
#[must_use]
pub fn default_limit() -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let allowed = group_limit(Path::new("/sys/fs/cgroup"), &groups);
    let total = field("/proc/meminfo", "MemTotal:").into_iter().chain(allowed).min();
    total.map_or(FALLBACK, |total| total / 4 * 3)
}

/// The least limit of the control groups that `/proc/self/cgroup` lists, and of those around them; none if there is no
/// limit. `root` is where their file systems are.
fn group_limit(root: &Path, groups: &str) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        let (root, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        // In a container the file system may begin at the group itself: then only its root is there.
        let folders = Path::new(group).ancestors().map(|folder| root.join(folder).join(file));
        folders.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok()).min()
    });
    limits.min()
}

/// The peak resident memory of this process; `None` where the system does not tell.
#[must_use]
pub fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// The resident memory of this process now; `None` where the system does not tell.
#[must_use]
pub fn current() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// A field that is given in kB, as bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::group_limit;

    #[test]
    fn the_least_limit_of_all_groups_around_a_process_counts() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |file: &str, content: &str| {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().expect("it is in a folder")).expect("it can be made");
            fs::write(file, content).expect("it can be written");
        };
        assert_eq!(group_limit(root.path(), "0::/a/b\n"), None);
        write("a/b/memory.max", "max\n");
        assert_eq!(group_limit(root.path(), "0::/a/b\n"), None);
        write("a/memory.max", "3000\n");
        write("a/b/c/memory.max", "5000\n");
        assert_eq!(group_limit(root.path(), "0::/a/b/c\n"), Some(3000));
        // As in a container: the path is that of the machine, the file system that of the container.
        write("memory.max", "2000\n");
        assert_eq!(group_limit(root.path(), "0::/x/y\n"), Some(2000));
        write("memory/d/memory.limit_in_bytes", "1000\n");
        assert_eq!(group_limit(root.path(), "5:cpu,memory:/d\n4:pids:/a\n"), Some(1000));
        assert_eq!(group_limit(root.path(), "4:pids:/a\n"), None);
    }
}
