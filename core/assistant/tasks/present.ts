import type { Context } from '../../context.ts'
import { presentFile } from '../../platform/files/files.ts'
import { findFilesById } from '../../platform/files/project-files.ts'
import { presentAmount } from '../amounts.ts'
import type { BalanceRow } from './ledger.queries.ts'
import type { Balance, Task, TaskSummary, TaskWithResult } from './tasks.model.ts'
import { listTaskFiles, type TaskRow, type TaskRowWithContents } from './tasks.queries.ts'

/** Task as webhook events carry it: without input and result. */
export const presentTaskSummary = ({
  id,
  state,
  model,
  reason,
  currency,
  charged,
  metadata,
  createdAt,
  endedAt,
}: TaskRow): TaskSummary => ({
  id,
  state,
  model,
  reason,
  currency,
  charged: presentAmount(charged),
  metadata,
  createdAt,
  endedAt,
})

/** API view of a task without its result. */
export const presentTask = (row: TaskRow): Task => ({
  ...presentTaskSummary(row),
  gives: row.gives,
  message: row.message,
  maxCost: presentAmount(row.maxCost),
  hold: presentAmount(row.hold),
  cost: presentAmount(row.cost),
  usage: row.usage && presentUsage(row.usage),
  cancelAskedAt: row.cancelAskedAt,
  updatedAt: row.updatedAt,
})

const presentUsage = ({ cost, ...counts }: NonNullable<TaskRow['usage']>): NonNullable<Task['usage']> => ({
  ...counts,
  ...(cost !== undefined && { cost: presentAmount(cost) }),
})
/** API view of a task with its result and its files; `result` is null before the end and after its deletion. */

export const presentBalance = ({ currency, available, held }: BalanceRow): Balance => ({
  currency,
  available: presentAmount(available),
  held: presentAmount(held),
})
/** API view of a task with its result and its files; `result` is null before the end and after its deletion. */

/** API view of a task with its result and its files; `result` is null before the end and after its deletion. */
export async function presentTaskWithResult(context: Context, row: TaskRowWithContents): Promise<TaskWithResult> {
  if (row.result === null) return { ...presentTask(row), result: null }
  const files = await findFilesById(context, row.projectId, await listTaskFiles(context.sql, row))
  const { text, ending } = row.result
  return { ...presentTask(row), result: { text, ending, files: files.map((file) => presentFile(context, file)) } }
}
