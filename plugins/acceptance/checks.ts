import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type AdapterError, adapterErrorNames, type FailureReason } from '../adapter.ts'

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, shall] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(is === shall, `${what}: expected ${shall}, got ${is}`)
}

/** Thrown by a case that finds, as it runs, that there is nothing to test: it is skipped with this reason. */
export class SkippedCase extends Error {
  override readonly name = 'SkippedCase'
}

/** Ends a case as skipped. A case that tests nothing never passes. */
export function skipCase(reason: string): never {
  throw new SkippedCase(reason)
}

/** Plain data of exactly this shape. */
export function fits(schema: TSchema, value: unknown, what: string): void {
  const problem = Value.Errors(schema, value).First()
  check(!problem, `${what}: ${problem?.path} ${problem?.message}, got ${JSON.stringify(problem?.value)}`)
  same(Value.Equal(structuredClone(value), value), true, `${what} is plain data`)
}

/** A member of the rig that this case cannot do without. */
export function needed<V>(member: V | undefined, name: string): V {
  check(member !== undefined, `the rig has no ${name}, and the definition does not say that there is no such thing`)
  return member
}

export const unique = (values: readonly string[], what: string) => same(new Set(values).size, values.length, `${what} are all different`)

/** Resolves to the error; fails where there is none or its reason is another. */
export async function fails(attempt: unknown, reasons: readonly FailureReason[], what: string): Promise<AdapterError> {
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
