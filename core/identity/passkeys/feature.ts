import { Value } from '@sinclair/typebox/value'
import { feature } from '../../feature.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { PasskeyAuthentication } from './passkeys.model.ts'
import { deleteExpiredChallenges, deletePasskeysOfUser } from './passkeys.queries.ts'
import { passkeys } from './passkeys.routes.ts'
import { finishAuthentication, relyingPartyOf } from './passkeys.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'passkeys.forgetChallenges': Record<string, unknown>
  }
}

export default feature('passkeys', {
  async setup({ signInMethods }) {
    signInMethods.passkey = (context, request, answer, origin) => {
      if (!Value.Check(PasskeyAuthentication, answer))
        throw new ApiError('invalid_request', 'The field passkey is not the response of an authenticator.')
      return finishAuthentication(context, answer, relyingPartyOf(serverAddressFor(context, request), context.config.corsOrigins), origin)
    }
    return { services: {} }
  },
  routes: [passkeys],
  jobs: {
    'passkeys.forgetChallenges': {
      schedule: '29 * * * *',
      async work({ sql }) {
        await deleteExpiredChallenges(sql)
      },
    },
  },
  subscribers: {
    async 'person.leaving'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
    async 'person.recovered'(tx, { userId }) {
      await deletePasskeysOfUser(tx, userId)
    },
  },
})
