import { AdapterError, isRow, type LeadField, type LeadSetup, rows, text } from 'serai/connector'
import type { Context } from './fields.ts'

type Form = LeadSetup['forms'][number]

const NOTE = 'forms'

/** Reads the forms whose leads become orders, as last configured. */
export async function readForms({ storage }: Context): Promise<readonly Form[]> {
  const kept = await storage.get(NOTE)
  return rows(kept).flatMap(({ formId, fields }) => {
    const id = text(formId)
    return id === undefined ? [] : [{ formId: id, ...(isRow(fields) && { fields: fieldsIn(fields) }) }]
  })
}

const fieldsIn = (fields: Readonly<Record<string, unknown>>): Partial<Record<LeadField, string>> =>
  Object.fromEntries(Object.entries(fields).flatMap(([field, key]) => (text(key) === undefined ? [] : [[field, key]])))

const BYTES_MAX = 60_000

/** Stores the forms; throws `refused` when their configuration is too large. */
export async function writeForms({ storage }: Context, forms: readonly Form[]): Promise<void> {
  if (new TextEncoder().encode(JSON.stringify(forms)).length > BYTES_MAX)
    throw new AdapterError('refused', 'That is too much to be kept of so many forms. Name fewer questions.')
  await storage.set(NOTE, forms)
}
