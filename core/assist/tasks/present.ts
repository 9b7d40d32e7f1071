import type { Context } from '../../context.ts'
import { presentFile } from '../../platform/files/files.ts'
import { filesById } from '../../platform/files/project-files.ts'
import type { Task, TaskNews, WholeTask } from './tasks.model.ts'
import { listTaskFiles, type TaskRow, type WholeRow } from './tasks.queries.ts'

export const news = ({ id, state, model, reason, currency, charged, metadata, createdAt, endedAt }: TaskRow): TaskNews => ({
  id,
  state,
  model,
  reason,
  currency,
  charged,
  metadata,
  createdAt,
  endedAt,
})

/** What leaves of a row. */
export const present = (row: TaskRow): Task => ({
  ...news(row),
  gives: row.gives,
  message: row.message,
  maxCost: row.maxCost,
  hold: row.hold,
  cost: row.cost,
  usage: row.usage,
  cancelAskedAt: row.cancelAskedAt,
  updatedAt: row.updatedAt,
})

/** With what came of it. */
export async function presentWhole(context: Context, row: WholeRow): Promise<WholeTask> {
  if (row.result === null) return { ...present(row), result: null }
  const files = await filesById(context, await listTaskFiles(context.sql, row.id))
  const { text, ending } = row.result
  return { ...present(row), result: { text, ending, files: files.map((file) => presentFile(context, file)) } }
}
