import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'

interface Place {
  readonly projectId: string
  readonly currency: string
}

/** As exact decimals. */
export interface BalanceRow {
  readonly currency: string
  readonly available: string
  readonly held: string
}

/** As people write it: no zeros at the end. */
const amounts = (sql: Queryable) => sql`currency, trim_scale(available)::text as available, trim_scale(held)::text as held`

export const listBalances = (sql: Queryable, projectId: string) =>
  sql<BalanceRow[]>`select ${amounts(sql)} from ai_accounts where project_id = ${projectId} order by currency`

/** Money comes in. */
export async function addCredit(tx: Tx, { projectId, currency }: Place, amount: string, note: string): Promise<BalanceRow> {
  const account = expectOne(
    await tx<BalanceRow[]>`insert into ai_accounts (project_id, currency, available) values (${projectId}, ${currency}, ${amount})
      on conflict (project_id, currency) do update set available = ai_accounts.available + excluded.available returning ${amounts(tx)}`,
  )
  await tx`insert into ai_entries (project_id, currency, kind, source, available, note)
    values (${projectId}, ${currency}, 'credit', -${amount}::numeric, ${amount}, ${note})`
  return account
}

/** Takes so much out of what may be spent; false where there is less. What it is for is entered once its task is there. */
export async function takeHold(tx: Tx, { projectId, currency }: Place, amount: string): Promise<boolean> {
  const taken = await tx`update ai_accounts set available = available - ${amount}::numeric, held = held + ${amount}::numeric
    where project_id = ${projectId} and currency = ${currency} and available >= ${amount}::numeric`
  return taken.count > 0
}

export const enterHold = (tx: Tx, place: Place, taskId: string, amount: string) =>
  tx`insert into ai_entries ${row(tx, { ...place, kind: 'hold', taskId, available: `-${amount}`, held: amount })}`

/**
 * Ends the hold of a task: so much of what it cost is spent as its limit and the balance let, the rest may be spent again. Gives what was
 * charged. A second one of the same task breaks the index that allows one.
 */
export async function settleHold(
  tx: Tx,
  { projectId, currency, id, hold, maxCost }: Place & { id: string; hold: string; maxCost: string | null },
  cost: string,
  note = '',
): Promise<string> {
  const { available } = expectOne(
    await tx<
      { available: string }[]
    >`select available from ai_accounts where project_id = ${projectId} and currency = ${currency} for update`,
  )
  const { charged } = expectOne(
    await tx<{ charged: string }[]>`insert into ai_entries (project_id, currency, kind, task_id, available, held, spent, note)
      select ${projectId}, ${currency}, 'settlement', ${id}, ${hold}::numeric - charged, -${hold}::numeric, charged, ${note}
      from (select least(${cost}::numeric, greatest(${hold}::numeric, ${maxCost}::numeric), ${hold}::numeric + ${available}::numeric) as charged) due
      returning trim_scale(spent)::text as charged`,
  )
  await tx`update ai_accounts set available = available + ${hold}::numeric - ${charged}::numeric, held = held - ${hold}::numeric
    where project_id = ${projectId} and currency = ${currency}`
  return charged
}
