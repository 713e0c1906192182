// A process that does nothing, whose id can be borrowed.
setInterval(() => undefined, 60_000);
