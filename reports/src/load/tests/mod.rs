//! What reports of a load run promise.

mod compared;
mod example;
mod export;
mod files;
mod pages;
mod shown;
