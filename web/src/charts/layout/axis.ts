// Axes: from where to where, and which values and days get a label.
import { scaleLinear } from 'd3-scale';

export interface Domain {
  readonly low: number;
  readonly high: number;
  /** The axis does not begin at 0; the chart has to mark that. */
  readonly isBroken: boolean;
}

/** A line whose spread is small against its level would be flat on an axis from 0. */
const SMALL_SPREAD = 0.15;

export function valueDomain(values: readonly number[], mayBreak: boolean): Domain {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (high === low) return { low: 0, high: 1, isBroken: false };
  if (mayBreak && values.length > 1) {
    const least = Math.min(...values);
    const most = Math.max(...values);
    const spread = most - least;
    if (least > 0 && spread > 0 && spread / most < SMALL_SPREAD) {
      const [from = 0, to = 1] = niceDomain(least - spread * 0.25, most + spread * 0.1);
      if (from > 0) return { low: from, high: to, isBroken: true };
    }
  }
  const [from = 0, to = 1] = niceDomain(low, high);
  return { low: from, high: to, isBroken: false };
}

const niceDomain = (low: number, high: number): number[] => scaleLinear().domain([low, high]).nice(4).domain();

/** Round values between the ends. Whole statistics get no ticks between two whole numbers. */
export function valueTicks({ low, high }: Domain, count: number, wholeOnly: boolean): number[] {
  const ticks = scaleLinear().domain([low, high]).ticks(count);
  return wholeOnly ? ticks.filter((tick) => Number.isInteger(tick)) : ticks;
}

/** Indices of the intervals that get a label: as many as fit, at even distances. */
export function tickIndices(count: number, width: number, labelWidth: number): number[] {
  if (count === 0) return [];
  const most = Math.max(1, Math.floor(width / labelWidth));
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
