import { QueryClient } from '@tanstack/preact-query'
import { OFFLINE, RequestError } from './errors.ts'

const MOST_RETRIES = 2
const isTransient = (error: unknown) => error instanceof RequestError && (error.code === OFFLINE || error.status >= 500)

/** Query key of the signed-in user. */
export const ME_KEY = ['me']

/** Cache of everything read from the API. Data is shown while it is read again; only failures that may pass are retried. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < MOST_RETRIES && isTransient(error),
    },
    mutations: { retry: false },
  },
})

/** Reads the signed-in user again, as after a sign-in or when rights have changed. A reading under way is enough where `cancelRefetch` is false. */
export const refreshMe = (options: { readonly cancelRefetch?: boolean } = {}): Promise<void> =>
  queries.invalidateQueries({ queryKey: ME_KEY }, options)
