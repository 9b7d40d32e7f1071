/** What cannot be missing here. Throws where it is: a fault of ours, which `what` names. */
export function invariant<V>(value: V, what: string): NonNullable<V> {
  if (value === undefined || value === null) throw new Error(`${what} is known to be there, and is not.`)
  return value
}
