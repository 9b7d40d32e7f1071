import type { Queryable, Sql } from '../../core/data/sql.ts'

/** A node of what the database did, as `explain (analyze, format json)` says it. */
export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Loops': number
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** The same as the pool, and each statement that is waited for is explained as well as run. */
export function explained(sql: Sql, plans: Plan[]): Queryable {
  type Pending = ReturnType<Sql>
  const watch = (pending: Pending, explain: () => PromiseLike<unknown>) => {
    const run = pending.then.bind(pending)
    const kept = (rows: unknown) => plans.push((Object.values((rows as object[])[0] ?? {})[0] as { Plan: Plan }[])[0]!.Plan)
    const value: Pending['then'] = (done, failed) =>
      Promise.resolve(explain())
        .then(kept)
        .then(() => run(done, failed), failed) as never
    return Object.defineProperty(pending, 'then', { value })
  }
  const tag = (strings: TemplateStringsArray, ...values: never[]) => {
    if (!Array.isArray((strings as { raw?: unknown }).raw)) return (sql as never as (...all: unknown[]) => unknown)(strings, ...values)
    const [first, ...others] = strings
    const asking = Object.assign([`explain (analyze, format json) ${first}`, ...others], { raw: [] }) as never as TemplateStringsArray
    return watch(sql(strings, ...values) as Pending, () => sql.begin((tx) => tx(asking, ...values)) as never)
  }
  const unsafe = (text: string, values: never[], options: object) =>
    watch(sql.unsafe(text, values, options) as never, () => sql.unsafe(`explain (analyze, format json) ${text}`, values, options) as never)
  return Object.assign(tag, sql, { unsafe }) as never
}

export const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
