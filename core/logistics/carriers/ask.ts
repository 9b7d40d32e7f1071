import { Type as T } from '@sinclair/typebox'
import type { CarrierContext } from '../../../plugins/carrier/contract.ts'
import type { Operation } from '../../../plugins/operation.ts'
import type { Context } from '../../context.ts'
import type { PageInput } from '../../http/resource/page.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import type { QuotaClass } from '../../integrations/egress/quota.ts'
import type { ConnectionCall } from '../../integrations/operations/operation-registry.ts'
import { type LongList, listQueryIn, readOnLater } from './read-on.ts'

type Task = Pick<ConnectionCall<CarrierConnection>, 'name' | 'operation' | 'connection'>

interface Asking {
  /** `read` unless said. */
  readonly quota?: QuotaClass
  /** A list that is read on in the background where the quota cuts it short. */
  readonly goesOn?: LongList
}

/** Asks a member of the adapter; its answer is checked against the operation's own schema. */
export const ask =
  <T extends Task>(work: (task: T, adapter: CarrierContext) => unknown, { quota = 'read', goesOn }: Asking = {}) =>
  async (context: Context, task: T): Promise<unknown> =>
    callAdapter(context, task.connection, (_, adapter) => work(task, adapter), {
      operation: task.name,
      quota,
      ...answerSchema(task.operation),
    }).catch(async (error: unknown) => {
      if (goesOn) await readOnLater(context.sql, { connectionId: task.connection.row.id, list: goesOn, query: listQueryIn(task) }, error)
      throw error
    })

/** A carrier gives a list whole; we page it. */
const answerSchema = ({ response, rows }: Operation) => {
  const schema = rows ? T.Array(rows) : response
  return schema && { schema }
}

/** A list that the adapter's own member gives whole, as the page that is asked for. */
export const askRows =
  <T extends Task & { readonly query: PageInput }>(work: (task: T, adapter: CarrierContext) => unknown, asking: Asking = {}) =>
  async (context: Context, task: T): Promise<unknown> =>
    pageRows((await ask(work, asking)(context, task)) as unknown[], task.query)

/** How a list is asked for that may take a call for each state. */
export const longList = (goesOn: LongList): Asking => ({ quota: 'list', goesOn })

/** Without what nobody said. */
export const given = <Name extends string, V>(name: Name, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: V }
