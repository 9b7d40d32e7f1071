import { AsyncLocalStorage } from 'node:async_hooks'

/** Work that an async context does. */
export interface CurrentWork {
  /** Project, user or address for which it is done; empty if there is none. */
  owner: string
}

/** Work of the current async context. Modules above keep more about it in the same place. */
export const currentWork = new AsyncLocalStorage<CurrentWork>()
