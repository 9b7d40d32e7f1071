import rights from 'serai:rights'
import type { Client } from 'openapi-fetch'
import { api, type OperationId, type Schemas } from '../../api/client.ts'
import type { CurrentStore } from '../../session/store.tsx'

type LeasedCall = Schemas['Confirmation']

/** Finished call to a customer. Its id and the agent's name are known to servers that can undo outcomes. */
export interface PastCall extends Pick<LeasedCall['calls'][number], 'outcome' | 'reason' | 'nextTryAt' | 'createdAt'> {
  readonly id?: string
  readonly agentName?: string | null
}

/** Order that is leased to the agent. */
export interface Leased extends Omit<LeasedCall, 'calls'> {
  readonly calls: PastCall[]
}

/** Outcome of a call, as it is sent. */
export type Release = Schemas['ConfirmationRelease'] & { readonly reasonCode?: string }
/** Name of an outcome. */
export type Outcome = NonNullable<Schemas['ConfirmationRelease']['outcome']>

interface Counts {
  readonly due: number
  readonly later: number
  readonly nextDueAt: string | null
  readonly mine: { readonly calls: number; readonly outcomes: Readonly<Record<Outcome, number>> }
}

/** Reason of an outcome that a store offers its agents. */
export interface CallReason {
  readonly code: string
  readonly label: string
  readonly outcomes: Outcome[]
}

interface Answer<Data> {
  readonly responses: { 200: { content: { 'application/json': { data: Data } } } }
}
interface Call<Body, Data> extends Answer<Data> {
  readonly requestBody: { content: { 'application/json': Body } }
  readonly parameters: { header?: { 'idempotency-key'?: string } }
}

/** Operations of the desk, where a page needs more than every server has. */
interface DeskPaths {
  '/v1/orders/confirmation/take': { post: Call<{ storeId: string; orderId: string }, Leased> }
  '/v1/orders/confirmation/undo': { post: Call<{ storeId: string; orderId: string; callId: string }, Leased> }
  '/v1/orders/confirmation/release': { post: Call<Release, { callId?: string | null }> }
  '/v1/orders/confirmation/counts': { get: Answer<Counts> & { parameters: { query: { storeId: string } } } }
  '/v1/stores/{storeId}/confirmation/reasons': {
    get: Answer<{ reasons: CallReason[]; isStandard: boolean }> & { parameters: { path: { storeId: string } } }
  }
}

/** Client of the operations of the desk. */
export const deskApi = api as unknown as Client<DeskPaths>

type DeskOperation = 'takeConfirmation' | 'undoConfirmation' | 'countConfirmations' | 'readCallReasons'

/** Returns true if the server knows an operation of the desk and the user may call it. */
export const canAtDesk = (store: CurrentStore, operation: DeskOperation): boolean =>
  operation in rights && store.can(operation as OperationId)
