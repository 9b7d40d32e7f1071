import type { Statement } from '../../data/keyset-page.ts'
import type { Queryable } from '../../data/sql.ts'
import type { OrderListRequest } from '../list.model.ts'
import type { ResolvedFilters } from './list-conditions.queries.ts'

/** Column of an order `o` that has one of these values. */
interface Choice {
  readonly column: string
  readonly values: readonly string[]
}
/** Filters that allow several values. */
export type Choices = readonly Choice[]

/** Columns of the filters with several values. The first filter that has several is read value by value. */
const COLUMNS = { status: 'o.status', parcelStatus: 'o.parcel_status', carrier: 'o.carrier', deliveryType: 'o.delivery_type' } as const

/** Returns the filters of a request that allow several values. */
export function choicesOf(filter: OrderListRequest['filter'], { cityKeys }: ResolvedFilters = {}): Choices {
  const given = Object.entries(COLUMNS).map(([name, column]) => ({
    column,
    values: filter[name as keyof typeof COLUMNS]?.split(',') ?? [],
  }))
  return [...given, { column: CITY, values: cityKeys ?? [] }]
    .map(({ column, values }) => ({ column, values: [...new Set(values)] }))
    .filter(({ values }) => values.length > 0)
}

const CITY = 'o.city_key'

/**
 * Builds a statement for each value of the first filter that has several, so that each page is read from the index of one value. Builds one
 * statement if no filter has several.
 */
export function eachChoice(choices: Choices, build: (choices: Choices) => Statement): readonly Statement[] {
  const several = choices.find(({ column, values }) => values.length > 1 && column !== CITY)
  if (!several) return [build(choices)]
  return several.values.map((value) => build(choices.map((choice) => (choice === several ? { ...choice, values: [value] } : choice))))
}

/** Builds the condition that an order `o` has one value of each filter. */
export const choicesCondition = (sql: Queryable, choices: Choices) =>
  choices.reduce((all, choice) => sql`${all} and ${choiceCondition(sql, choice)}`, sql``)

function choiceCondition(sql: Queryable, { column, values }: Choice) {
  const name = sql(column)
  if (column === CITY) return cityCondition(sql, values)
  const [first = ''] = values
  return values.length === 1 ? sql`${name} = ${first}` : sql`${name} = any (${values as string[]})`
}

/** A commune is known by its code, or else by its folded name. Folding leaves codes of digits as they are. */
function cityCondition(sql: Queryable, keys: readonly string[]) {
  const [first, ...others] = keys.flatMap((key) => (/^\d+$/.test(key) ? [sql`${key}`] : [sql`${key}`, sql`folded(${key})`]))
  if (!first || others.length === 0) return sql`o.city_key = ${first ?? sql`''`}`
  return sql`o.city_key in (${others.reduce((all, key) => sql`${all}, ${key}`, first)})`
}
