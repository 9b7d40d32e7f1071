import type { ISql, Sql } from 'postgres'
import { recordEvents } from './event.ts'

export interface TransferBody {
  readonly type: string
  readonly legs: readonly { readonly namespace: string; readonly key: string; readonly quantity: number }[]
}

type Balance = { namespace: string; key: string; batch: string; on_hand: string; reserved: string; unit_cost: string | null; at: Date }

/** The statements of `POST /v1/inventory/operations`, in its order and with its round trips. */
export const transfer = (sql: Sql, projectId: string, { type, legs }: TransferBody) =>
  sql.begin(async (tx) => {
    const id = `op_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`
    const [, balances] = await Promise.all(lockAll(tx, projectId, legs))
    const { at } = balances.at(-1)!
    const lines = legs.map(({ namespace, key, quantity }, line) => {
      const { on_hand, unit_cost } = balances.find((balance) => balance.namespace === namespace && balance.key === key)!
      return { line, namespace, key, batch: '', quantity: String(quantity), unit_cost, balance_after: String(Number(on_hand) + quantity) }
    })
    const operation = { id, type, note: null, reference: null, createdAt: at, legs, movements: lines }
    const changed = lines.map(({ namespace, key, ...line }) => ({
      projectId,
      type: 'inventory.stock.changed',
      topic: `inventory.stock.changed:${namespace}/${key}`,
      orderKey: `${namespace}/${key}`,
      audience: 'project',
      data: { namespace, key, ...line },
    }))
    await Promise.all([
      write(tx, projectId, id, type, at, lines),
      recordEvents(tx, [{ projectId, type: 'inventory.operation.posted', orderKey: '', audience: 'project', data: operation }, ...changed]),
    ])
    return { data: operation }
  })

function lockAll(tx: ISql, projectId: string, legs: TransferBody['legs']) {
  const addresses = legs.map(({ namespace, key }) => ({ project_id: projectId, namespace, key, batch: '' }))
  const fillable = addresses.filter((_, at) => legs[at]!.quantity > 0)
  return [
    tx`
  insert into inventory_balances (project_id, namespace, key, batch)
  select ${projectId}, namespace collate "C", key collate "C", batch collate "C"
  from jsonb_to_recordset(${tx.json(fillable)}) as a (namespace text, key text, batch text)
  order by 2, 3, 4 on conflict do nothing`,
    tx<Balance[]>`
    with locked as materialized (
      select b.* from jsonb_to_recordset(${tx.json(addresses)}) as a (project_id text, namespace text, key text, batch text)
      join inventory_balances b on b.project_id = a.project_id and b.namespace = a.namespace and b.key = a.key and b.batch = a.batch
      where a.project_id = ${projectId} order by b.namespace, b.key, b.batch for update of b
    ) select namespace, key, batch, on_hand, reserved, unit_cost, clock_timestamp() as at from locked`,
  ] as const
}

const write = (
  tx: ISql,
  projectId: string,
  id: string,
  type: string,
  at: Date,
  lines: readonly { line: number; quantity: string; namespace: string; key: string; batch: string }[],
) => tx`
    with moved as (
      update inventory_balances b set on_hand = b.on_hand + c.on_hand, reserved = b.reserved + c.reserved, unit_cost = c.unit_cost
      from jsonb_to_recordset(${tx.json(lines.map((line) => ({ ...line, project_id: projectId, on_hand: line.quantity, reserved: '0' })))}) as c (project_id text, namespace text, key text, batch text, on_hand numeric, reserved numeric, unit_cost numeric)
      where c.project_id = ${projectId} and b.project_id = c.project_id and b.namespace = c.namespace and b.key = c.key and b.batch = c.batch
    ), posted as (
      insert into inventory_operations (project_id, id, type, note, reference, reservation_id, reverses_id, created_at)
      values (${projectId}, ${id}, ${type}, ${null}, ${null}, ${null}, ${null}, ${at})
    )
    insert into inventory_movements (project_id, operation_id, line, namespace, key, batch, quantity, unit_cost, balance_after, created_at)
    select ${projectId}, ${id}, line, namespace, key, batch, quantity, unit_cost, balance_after, ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(lines as never)}) as l (line integer, namespace text, key text, batch text, quantity numeric, unit_cost numeric, balance_after numeric)
    order by line`
