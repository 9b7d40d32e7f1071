import { Type as T, type TArray, type TObject, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { yieldEvery } from '../core/lib/async/yield-every.ts'
import { isRow, type Row } from './toolkit/values.ts'

/** Lists of at most this many rows are validated in one go. */
const ROWS_AT_ONCE = 200

/** The value as its schema allows it, or the place and reason of the first mismatch. */
export type FitResult = { readonly value: unknown } | { readonly problem: string }

/**
 * Validates `value` against the schema. With `clean`, properties unknown to the schema are removed from a copy. A long list, or a list
 * inside an object, is validated row by row and yields to other work between rows.
 */
export async function fit(schema: TSchema, value: unknown, { clean = false, pause = yieldEvery(), at = '' } = {}): Promise<FitResult> {
  if (isList(schema) && isLong(value)) return fitRows(schema, value, { clean, pause, at })
  const long = schema.type === 'object' && isRow(value) ? Object.entries(value).filter(([, member]) => isLong(member)) : []
  if (long.length === 0) return fitAtOnce(schema, value, { clean }, at)
  const { properties } = schema as TObject
  const lists: Record<string, unknown> = {}
  for (const [name, member] of long) {
    const part = properties[name]
    const fitted = part && (await fit(part, member, { clean, pause, at: `${at}/${name}` }))
    if (fitted && 'problem' in fitted) return fitted
    if (fitted) lists[name] = fitted.value
  }
  const unread = Object.fromEntries(Object.keys(lists).map((name) => [name, T.Array(T.Unknown())]))
  const head = { ...(value as Row), ...Object.fromEntries(long.map(([name]) => [name, []])) }
  const fitted = fitAtOnce({ ...schema, properties: { ...properties, ...unread } } as TObject, head, { clean }, at)
  return 'problem' in fitted ? fitted : { value: { ...(fitted.value as Row), ...lists } }
}

async function fitRows(
  schema: TArray,
  rows: readonly unknown[],
  { clean, pause, at }: { clean: boolean; pause: ReturnType<typeof yieldEvery>; at: string },
) {
  const bounds = fitAtOnce({ ...schema, items: T.Unknown() } as TArray, rows, { clean: false }, at)
  if ('problem' in bounds) return bounds
  const kept: unknown[] = []
  for (const [index, row] of rows.entries()) {
    const fitted = fitAtOnce(schema.items, row, { clean }, `${at}/${index}`)
    if ('problem' in fitted) return fitted
    kept.push(fitted.value)
    await pause()
  }
  return { value: kept }
}

function fitAtOnce(schema: TSchema, given: unknown, { clean }: { readonly clean: boolean }, at: string): FitResult {
  if (Value.Check(schema, given)) return { value: given }
  const value = clean ? Value.Clean(schema, Value.Clone(given)) : given
  const wrong = Value.Errors(schema, value).First()
  return wrong ? { problem: `${at + wrong.path || '/'}: ${wrong.message}` } : { value }
}

const isList = (schema: TSchema): schema is TArray => schema.type === 'array'
const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > ROWS_AT_ONCE
