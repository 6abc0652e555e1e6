//! What reports of a load run promise.

mod compared;
mod example;
mod files;
mod pages;
mod shown;
