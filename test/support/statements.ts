import { mock } from 'bun:test'
import { appendFileSync } from 'node:fs'
import postgres from 'postgres'

/** A statement as the driver sends it, with what it knows of its parameters' types: numbers of PostgreSQL's types, 0 for those that the database finds out. */
export interface Statement {
  readonly text: string
  readonly types: readonly number[]
}

const ONE_OF_MANY = /\(\$\d+(?:,\s*\$\d+)*\)(?:,\s*\(\$\d+(?:,\s*\$\d+)*\))*/g
/** What statements have in common that differ in how many rows or values they carry. */
const shapeOf = (text: string) => text.replace(ONE_OF_MANY, '($)')

/** Notes each kind of statement that this process sends to a database, once, as a line of JSON. */
export function noteStatements(file: string) {
  const seen = new Set<string>()
  const debug = (_: number, text: string, __: unknown, types: number[]) => {
    const shape = shapeOf(text)
    if (seen.has(shape)) return
    seen.add(shape)
    appendFileSync(file, `${JSON.stringify({ text, types } satisfies Statement)}\n`)
  }
  // The mock below replaces the import as well.
  const connect = postgres
  const observed = (first: string | object, options: object = {}) =>
    typeof first === 'string' ? connect(first, { ...options, debug }) : connect({ ...first, debug })
  mock.module('postgres', () => ({ default: Object.assign(observed, connect) }))
}
