import { useQuery } from '@tanstack/preact-query'
import { api, type Schemas } from '../api/client.ts'
import { RequestError, unwrap } from '../api/errors.ts'
import { ME_KEY } from '../api/queries.ts'

/** The signed-in user with everything that decides what the console shows. */
export type Me = Schemas['Me']
/** A store that the user is a member of. */
export type Membership = Me['memberships'][number]

async function readMe(): Promise<Me | null> {
  try {
    return (await unwrap(api.GET('/v1/me'))).data
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) return null
    throw error
  }
}

/** Reads who is signed in. `data` is null when nobody is. */
export const useMe = () => useQuery({ queryKey: ME_KEY, queryFn: readMe, staleTime: 60_000 })
