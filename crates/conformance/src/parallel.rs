//! Applies a check to many items on all cores; the results are in the order of the items.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub fn map<T: Sync, R: Send>(items: &[T], check: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(items.len()) {
            scope.spawn(|| {
                while let Some((index, item)) = take(&next, items) {
                    let result = check(item);
                    results.lock().expect("no check panics while it holds the lock")[index] = Some(result);
                }
            });
        }
    });
    results.into_inner().expect("all threads are joined").into_iter().flatten().collect()
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_order() {
        let numbers: Vec<u32> = (0..500).collect();
        let doubled = super::map(&numbers, |number| number * 2);
        assert!(doubled.iter().zip(&numbers).all(|(double, number)| *double == number * 2));
    }
}
