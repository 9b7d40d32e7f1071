import { fold } from '../../../platform/geo/names/fold.ts'
import type { RowField } from './row-fields.ts'

type Names = Readonly<Partial<Record<Extract<RowField, 'customerName' | 'firstName' | 'lastName'>, string>>>

/** Joins a name from several columns, without parts that the full name contains already. */
export function fullNameOf({ customerName = '', firstName = '', lastName = '' }: Names): string {
  const has = (part: string) => ` ${fold(customerName)} `.includes(` ${fold(part)} `)
  const parts = [has(firstName) ? '' : firstName, customerName, has(lastName) ? '' : lastName]
  return parts.filter((part) => part !== '').join(' ')
}
