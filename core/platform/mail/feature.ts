import { feature } from '../../feature.ts'
import { deleteOldMails, deliverMail } from './deliver.ts'
import { type MailService, openMail, watchMailServer } from './mail.ts'

declare module '../../context.ts' {
  interface Services {
    readonly mail: MailService
  }
}

/** Mail feature: writes mails in transactions and sends them by jobs. */
export default feature('mail', {
  setup: async ({ config, vault, log }) => ({ services: { mail: openMail({ config, vault, log }) } }),
  jobs: {
    'mail.deliver': { work: (context, { mailId }) => deliverMail(context, mailId) },
    'mail.deleteOld': { schedule: '33 4 * * *', work: (context, _, signal) => deleteOldMails(context, signal) },
  },
  start: watchMailServer,
})
