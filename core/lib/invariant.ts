/** Asserts that a value is present. Throws if it is null or undefined, which is a bug; `what` names the value. */
export function invariant<V>(value: V, what: string): NonNullable<V> {
  if (value === undefined || value === null) throw new Error(`${what} must be present here, and is missing.`)
  return value
}
