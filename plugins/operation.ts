import type { TObject, TSchema } from '@sinclair/typebox'
import type { Scope } from '../core/http/auth/scopes.ts'

export type Method = 'OPTIONS' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Role = 'owner' | 'admin' | 'agent' | 'viewer'

/** One thing a plugin may be able to do, and the route through which callers ask for it. */
export interface Operation {
  readonly summary: string
  /**
   * Below `/v1/stores/:storeId/integrations/:key/`, or whole where they begin with `/`: then `:key` stands in them too. Several spellings
   * may answer alike: `wilayas` and `states`.
   */
  readonly paths: readonly string[]
  /**
   * The path of an adapter that lists the operation in `branded`, made of its slug: `google-sheets` stands as `GoogleSheets` for
   * `{Brand}`, as `googleSheets` for `{brand}`. Words of the kind stand around it, so that no adapter takes a path of another's.
   */
  readonly brand?: string
  readonly methods: readonly Method[]
  /** The least role in the store that may ask for it. */
  readonly role: Role
  /** What an API key needs for it, where it is not what the kind says of its role. */
  readonly scope?: Scope
  /** Members that an adapter must have to offer it: `track`, `webhook`, `cash.batches`. */
  readonly needs: readonly string[]
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** What stands in `data` of the answer. Absent: it is a list of `rows`, or answers bytes of its own (a label). */
  readonly response?: TSchema
  /** One row of an operation that answers a list, page by page. */
  readonly rows?: TSchema
  /** Of its success, where it is not 200. */
  readonly status?: number
  /** The type of the bytes that it answers. */
  readonly bytes?: string
  /** Answers 202 where the other side needs longer. */
  readonly mayTakeLonger?: boolean
  /** Asked by the shop's customers as well, without a credential, where the store lets them order. */
  readonly storefront?: boolean
  /** Asked by the other side: without a credential of ours, and with its exact bytes, which the adapter proves. */
  readonly callback?: boolean
}

const define =
  (methods: readonly Method[]) =>
  <const O extends Omit<Operation, 'methods'>>(operation: O) => ({ ...operation, methods })
export const get = define(['GET'])
export const post = define(['POST'])
/** The interface lets it be asked either way; asked by POST, what stood in the query stands in the body. */
export const getOrPost = define(['GET', 'POST'])
export const remove = define(['DELETE'])
export const patch = define(['PATCH'])
