import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type AdapterError, adapterErrorNames, type FailureReason } from '../adapter.ts'

/** Throws with `message` if the condition is false. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Throws if the values differ as JSON. `what` names the value in the message. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, shall] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(is === shall, `${what}: expected ${shall}, got ${is}`)
}

/** Thrown by a case that finds nothing to test while it runs. The case is skipped with this reason. */
export class SkippedCase extends Error {
  override readonly name = 'SkippedCase'
}

/** Ends a case as skipped. A case that tests nothing must not pass. */
export function skipCase(reason: string): never {
  throw new SkippedCase(reason)
}

/** Throws if the value does not match the schema or is not plain data. */
export function assertFits(schema: TSchema, value: unknown, what: string): void {
  const problem = Value.Errors(schema, value).First()
  check(!problem, `${what}: ${problem?.path} ${problem?.message}, got ${JSON.stringify(problem?.value)}`)
  assertEqual(Value.Equal(structuredClone(value), value), true, `${what} is plain data`)
}

/** Returns a member of the rig that a case requires; throws if it is missing. */
export function requireMember<V>(member: V | undefined, name: string): V {
  check(member !== undefined, `the rig has no ${name}, although the adapter's definition requires it`)
  return member
}

/** Throws if a value occurs twice. */
export const assertUnique = (values: readonly string[], what: string) =>
  assertEqual(new Set(values).size, values.length, `${what} are all different`)

/** Resolves to the error of the attempt. Throws if it succeeds, or fails with a reason other than `reasons`. */
export async function expectFailure(attempt: unknown, reasons: readonly FailureReason[], what: string): Promise<AdapterError> {
  const error = await Promise.resolve(attempt).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  check(error instanceof Error, `${what}: expected ${reasons.join(' or ')}, but it succeeded`)
  check(adapterErrorNames.includes(error.name), `${what}: expected an AdapterError, got ${error.name}: ${error.message}`)
  const found = error as AdapterError
  check(reasons.includes(found.reason), `${what}: expected ${reasons.join(' or ')}, got ${found.reason}: ${found.message}`)
  check(found.message.length > 5, `${what}: the message says what to do`)
  return found
}
