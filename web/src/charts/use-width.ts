// The width of an element in pixels; 0 until it is known, which is before the first paint.
import { type RefObject, startTransition, useLayoutEffect, useRef, useState } from 'react';

export function useWidth<T extends HTMLElement>(): readonly [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    setWidth(Math.floor(watched.clientWidth));
    // Many charts change at once when the drawer opens; what it shows is drawn first.
    const observer = new ResizeObserver(() => startTransition(() => setWidth(Math.floor(watched.clientWidth))));
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
