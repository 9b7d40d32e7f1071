import { randomBytes } from 'node:crypto'

export type Value = string | number

export interface Field {
  readonly id: string
  name: string
  type: string
  /** What a select takes, where it is one. */
  choices?: string[]
}

/** What is empty is not there. */
export interface StandingRecord {
  readonly id: string
  readonly cells: Record<string, Value>
}

export interface Table {
  readonly id: string
  name: string
  fields: Field[]
  records: StandingRecord[]
}

export interface Base {
  readonly id: string
  readonly name: string
  tables: Table[]
  /** Whether the account may go into it; and whether it is there at all. */
  shared: boolean
  removed: boolean
}

/** Why Airtable does not take something: it says so in its own words, and does nothing of it. */
export class Refusal extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message)
  }
}

export const newId = (prefix: string) => `${prefix}${randomBytes(7).toString('hex')}`

const NUMBERS = ['number', 'currency', 'percent', 'rating', 'duration']

export function fieldIn({ fields }: Table, name: string): Field {
  const field = fields.find((one) => one.id === name || one.name === name)
  if (!field) throw new Refusal('UNKNOWN_FIELD_NAME', `Unknown field name: "${name}"`)
  return field
}

export function newField(table: Pick<Table, 'fields'>, name: unknown, type: unknown): Field {
  const isTaken = table.fields.some((one) => one.name.toLowerCase() === String(name).toLowerCase())
  if (typeof name !== 'string' || name === '' || isTaken) throw new Refusal('DUPLICATE_OR_EMPTY_FIELD_NAME', 'Cannot use this name.')
  const field = { id: newId('fld'), name, type: String(type) }
  table.fields.push(field)
  return field
}

/** What becomes of a value in a field; undefined empties it. Nothing is made into something else unless that is asked for. */
function cellFor(field: Field, value: unknown, { typecast }: { readonly typecast: boolean }): Value | undefined {
  const refused = () => new Refusal('INVALID_VALUE_FOR_COLUMN', `Field "${field.name}" cannot accept the provided value`)
  if (field.type === 'formula') throw refused()
  if (value === null || value === '') return undefined
  if (NUMBERS.includes(field.type)) {
    if (typeof value === 'number') return value
    if (typecast && Number.isFinite(Number(value))) return Number(value)
    throw refused()
  }
  if (typeof value !== 'string') throw refused()
  if (field.type !== 'singleSelect' || field.choices?.includes(value)) return value
  if (!typecast) throw new Refusal('INVALID_MULTIPLE_CHOICE_OPTIONS', `Insufficient permissions to create new select option "${value}"`)
  field.choices = [...(field.choices ?? []), value]
  return value
}

interface Written {
  readonly id?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** All of it, or nothing; ten records at most. Those without an id are new, and stand behind the others. */
export function write(table: Table, records: unknown, { typecast }: { readonly typecast: boolean }): StandingRecord[] {
  if (!Array.isArray(records) || records.length === 0 || records.length > 10)
    throw new Refusal('INVALID_RECORDS', 'You must provide an array of up to 10 record objects')
  const planned = (records as Written[]).map(({ id, fields = {} }) => {
    const standing = id === undefined ? { id: newId('rec'), cells: {} } : table.records.find((one) => one.id === id)
    if (!standing) throw new Refusal('ROW_DOES_NOT_EXIST', `Record ID ${id} does not exist in this table`)
    const cells = Object.entries(fields).map(([name, value]) => {
      const field = fieldIn(table, name)
      return [field.id, cellFor(field, value, { typecast })] as const
    })
    return { standing, cells, isNew: id === undefined }
  })
  return planned.map(({ standing, cells, isNew }) => {
    for (const [id, value] of cells) {
      if (value === undefined) delete standing.cells[id]
      else standing.cells[id] = value
    }
    if (isNew) table.records.push(standing)
    return standing
  })
}

/** `OR(TRIM({Order}&"")="ord_1",…)`, and nothing else: which records it lets pass. */
export function passing(table: Table, formula: string): (record: StandingRecord) => boolean {
  const invalid = (why: string) => new Refusal('INVALID_FILTER_BY_FORMULA', `The formula for filtering records is invalid: ${why}`)
  const [, inner] = /^OR\((.*)\)$/s.exec(formula) ?? []
  const terms = [...(inner ?? '').matchAll(/TRIM\(\{([^{}\\]+)\}&""\)="([^"\\]*)"(?:,|$)/g)]
  if (inner === undefined || terms.length === 0 || terms.map(([all]) => all).join('') !== inner) throw invalid('Invalid formula.')
  const tests = terms.map(([, name = '', value = '']) => {
    const field = table.fields.find((one) => one.name === name)
    if (!field) throw invalid(`Unknown field names: ${name.toLowerCase()}`)
    return { id: field.id, value }
  })
  return ({ cells }) => tests.some(({ id, value }) => String(cells[id] ?? '').trim() === value)
}
