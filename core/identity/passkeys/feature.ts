import { Value } from '@sinclair/typebox/value'
import { feature } from '../../feature.ts'
import { addressFor } from '../../http/address/own-address.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { Authentication } from './passkeys.model.ts'
import { forgetChallenges, forgetPasskeysOf } from './passkeys.queries.ts'
import { passkeys } from './passkeys.routes.ts'
import { finishAuthentication, placeOf } from './passkeys.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'passkeys.forgetChallenges': Record<string, unknown>
  }
}

export default feature('passkeys', {
  async setup({ signInMethods }) {
    signInMethods.passkey = (context, request, answer, origin) => {
      if (!Value.Check(Authentication, answer))
        throw new ApiError('invalid_request', 'The field passkey is not the response of an authenticator.')
      return finishAuthentication(context, answer, placeOf(addressFor(context, request), context.config.corsOrigins), origin)
    }
    return { services: {} }
  },
  routes: [passkeys],
  jobs: {
    'passkeys.forgetChallenges': {
      at: '29 * * * *',
      async work({ sql }) {
        await forgetChallenges(sql)
      },
    },
  },
  subscribers: {
    async 'person.leaving'(tx, { userId }) {
      await forgetPasskeysOf(tx, userId)
    },
    async 'person.recovered'(tx, { userId }) {
      await forgetPasskeysOf(tx, userId)
    },
  },
})
