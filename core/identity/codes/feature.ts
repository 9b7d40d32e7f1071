import { transaction } from '../../data/sql.ts'
import { feature } from '../../feature.ts'
import { askForCode, mailCode, mayAsk } from './ask.ts'
import { forgetCodes, forgetCodesOf } from './codes.queries.ts'
import { codePages, codes } from './codes.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'codes.forget': Record<string, unknown>
  }
}

const BATCH = 5_000

export default feature('codes', {
  async setup({ signInMethods }) {
    signInMethods.forgot = async (context, { address, ...rest }) => {
      const input = { purpose: 'reset_password' as const, ...rest }
      const near = await mayAsk(context, input, address)
      await transaction(context.sql, (tx) => askForCode(tx, { ...input, ...near }))
    }
    return { services: {} }
  },
  routes: [codes, codePages],
  jobs: {
    'codes.mail': { work: (context, { codeId }) => mailCode(context, codeId) },
    'codes.forget': {
      at: '21 * * * *',
      async work({ sql }) {
        while ((await forgetCodes(sql, BATCH)) === BATCH);
      },
    },
  },
  subscribers: {
    async 'person.addressNew'(tx, { email, isMade }) {
      await askForCode(tx, isMade ? { purpose: 'reset_password', email, welcomes: true } : { purpose: 'verify_email', email })
    },
    async 'person.leaving'(tx, { userId }) {
      await forgetCodesOf(tx, userId)
    },
  },
})
