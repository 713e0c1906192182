// The error of an option or argument whose value cannot be.
import { StrataError } from '../domain/errors.ts';

export function invalidOption(parameter: string, value: string, accepted: string): StrataError {
  return new StrataError(
    'invalid_parameter',
    `${parameter}: ${JSON.stringify(value)} is not accepted; give ${accepted}.`,
    {
      errors: { [parameter]: [`give ${accepted}`] },
    },
  );
}
