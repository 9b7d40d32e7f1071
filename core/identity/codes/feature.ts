import { feature } from '../../feature.ts'
import { deleteCodesOfUser, deleteExpiredCodes } from './codes.queries.ts'
import { codePages, codes } from './codes.routes.ts'
import { mailCode, requestCode } from './request-code.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'codes.deleteExpired': Record<string, unknown>
  }
}

const BATCH = 5_000

export default feature('codes', {
  routes: [codes, codePages],
  jobs: {
    'codes.mail': { work: (context, { codeId }) => mailCode(context, codeId) },
    'codes.deleteExpired': {
      schedule: '21 * * * *',
      async work({ sql }) {
        while ((await deleteExpiredCodes(sql, BATCH)) === BATCH);
      },
    },
  },
  subscribers: {
    async 'user.email_changed'(tx, { email, isMade }) {
      await requestCode(tx, isMade ? { purpose: 'reset_password', email, welcomes: true } : { purpose: 'verify_email', email })
    },
    async 'user.deleted'(tx, { userId }) {
      await deleteCodesOfUser(tx, userId)
    },
  },
})
