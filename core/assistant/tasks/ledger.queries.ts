import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'

interface AccountKey {
  readonly projectId: string
  readonly currency: string
}

/** Amounts of an account, as exact decimals. */
export interface BalanceRow {
  readonly currency: string
  readonly available: string
  readonly held: string
}
/** Columns of a balance; amounts are without trailing zeros. */

/** Columns of a balance; amounts are without trailing zeros. */
const amounts = (sql: Queryable) => sql`currency, trim_scale(available)::text as available, trim_scale(held)::text as held`

/** Lists the balances of a project, one for each currency. */
export const listBalances = (sql: Queryable, projectId: string) =>
  sql<BalanceRow[]>`select ${amounts(sql)} from ai_accounts where project_id = ${projectId} order by currency`

/** Adds credit to the account of a project, creates it if needed, and writes the ledger entry. Returns the new balance. */
export async function addCredit(tx: Tx, { projectId, currency }: AccountKey, amount: string, note: string): Promise<BalanceRow> {
  const account = expectOne(
    await tx<BalanceRow[]>`insert into ai_accounts (project_id, currency, available) values (${projectId}, ${currency}, ${amount})
      on conflict (project_id, currency) do update set available = ai_accounts.available + excluded.available returning ${amounts(tx)}`,
  )
  await tx`insert into ai_entries (project_id, currency, kind, source, available, note)
    values (${projectId}, ${currency}, 'credit', -${amount}::numeric, ${amount}, ${note})`
  return account
}

/**
 * Moves an amount from available to held. Returns false when less is available. `insertHoldEntry` writes the ledger entry after the task
 * exists.
 */
export async function placeHold(tx: Tx, { projectId, currency }: AccountKey, amount: string): Promise<boolean> {
  const moved = await tx`update ai_accounts set available = available - ${amount}::numeric, held = held + ${amount}::numeric
    where project_id = ${projectId} and currency = ${currency} and available >= ${amount}::numeric`
  return moved.count > 0
}

/** Writes the ledger entry of a hold. */
export const insertHoldEntry = (tx: Tx, account: AccountKey, taskId: string, amount: string) =>
  tx`insert into ai_entries ${rowValues(tx, { ...account, kind: 'hold', taskId, available: `-${amount}`, held: amount })}`

/**
 * Captures the hold of a task: charges its cost, capped by the limit of the task and by the balance, and releases the rest. Returns the
 * amount charged. A unique index refuses a second capture of the same task.
 */
export async function captureHold(
  tx: Tx,
  { projectId, currency, id, hold, maxCost }: AccountKey & { id: string; hold: string; maxCost: string | null },
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
