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
import { enqueueContinuation, type LongList, listQueryOf } from './continue-list.ts'

type Task = Pick<ConnectionCall<CarrierConnection>, 'name' | 'operation' | 'connection'>

interface CallOptions {
  /** Quota class of the call; `read` by default. */
  readonly quota?: QuotaClass
  /** List that a job continues when the quota interrupts it. */
  readonly continuedList?: LongList
}

/** Returns an operation handler that calls a method of the adapter, and validates the result against the operation's schema. */
export const adapterOperation =
  <T extends Task>(work: (task: T, adapter: CarrierContext) => unknown, { quota = 'read', continuedList }: CallOptions = {}) =>
  async (context: Context, task: T): Promise<unknown> =>
    callAdapter(context, task.connection, (_, adapter) => work(task, adapter), {
      operation: task.name,
      quota,
      ...answerSchema(task.operation),
    }).catch(async (error: unknown) => {
      if (continuedList)
        await enqueueContinuation(
          context.sql,
          { connectionId: task.connection.row.id, list: continuedList, query: listQueryOf(task) },
          error,
        )
      throw error
    })

/** Schema of the adapter's result. The carrier returns a list as a whole; the handler pages it. */
const answerSchema = ({ response, rows }: Operation) => {
  const schema = rows ? T.Array(rows) : response
  return schema && { schema }
}

/** Returns a handler for a list that the adapter returns as a whole; the response is the requested page. */
export const adapterListOperation =
  <T extends Task & { readonly query: PageInput }>(work: (task: T, adapter: CarrierContext) => unknown, asking: CallOptions = {}) =>
  async (context: Context, task: T): Promise<unknown> =>
    pageRows((await adapterOperation(work, asking)(context, task)) as unknown[], task.query)

/** Options for a list that may need one call per state. */
export const longListOptions = (continuedList: LongList): CallOptions => ({ quota: 'list', continuedList })

/** Object with one property; empty when the value is undefined. */
export const optionalField = <Name extends string, V>(name: Name, value: V | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: V }
