//! The machine of the generator, as the system describes it.

use std::env::consts;
use std::fs::read_to_string;

use harness::load::Host;

use crate::generator::{cores, kilobytes};

/// Reads the description; other systems than Linux tell less.
pub(crate) fn host() -> Host {
    Host {
        cores: cores(),
        cpu: processor(&read_to_string("/proc/cpuinfo").unwrap_or_default()),
        kernel: kernel(),
        memory: kilobytes("/proc/meminfo", "MemTotal:").unwrap_or(0),
    }
}

/// The model of the first processor; some architectures name none.
fn processor(description: &str) -> String {
    let model = description.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|rest| rest.split_once(':')).map_or("", |(_, model)| model.trim());
    if model.is_empty() { consts::ARCH.to_owned() } else { model.to_owned() }
}

fn kernel() -> String {
    let read = |name: &str| read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    let both = read("ostype").zip(read("osrelease"));
    both.map_or_else(
        || consts::OS.to_owned(),
        |(name, release)| format!("{} {}", name.trim(), release.trim()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_has_the_name_of_its_model_or_of_its_architecture() {
        let description =
            "processor\t: 0\nmodel name\t: Some CPU: 3 GHz\nprocessor\t: 1\nmodel name\t: other\n";
        assert_eq!(processor(description), "Some CPU: 3 GHz");
        assert_eq!(processor("Features : fp asimd"), consts::ARCH);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_describes_the_machine() {
        let host = host();
        assert!(host.cores > 0 && host.memory > 1 << 20 && host.kernel.starts_with("Linux "), "{host:?}");
    }
}
