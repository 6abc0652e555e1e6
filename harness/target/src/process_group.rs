//! The end of all processes that a plugin has started.

/// The processes of a plugin, by the number of the first one; killed when it is dropped. `None` without a group of its own.
pub(crate) struct ProcessGroup(pub(crate) Option<u32>);

impl ProcessGroup {
    /// Lets the processes live: a plugin that has ended may have started a cache.
    pub(crate) fn leave(mut self) {
        self.0 = None;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(pid) = self.0.and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
}
