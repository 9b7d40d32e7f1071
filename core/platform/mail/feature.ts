import { feature } from '../../feature.ts'
import { deliver, forget } from './deliver.ts'
import { type Mail, openMail, watchServer } from './mail.ts'

declare module '../../context.ts' {
  interface Services {
    readonly mail: Mail
  }
}

/** Mail feature: writes mails in transactions and sends them by jobs. */
export default feature('mail', {
  setup: async ({ config, vault, log }) => ({ services: { mail: openMail({ config, vault, log }) } }),
  jobs: {
    'mail.deliver': { work: (context, { mailId }) => deliver(context, mailId) },
    'mail.forget': { at: '33 4 * * *', work: (context, _, signal) => forget(context, signal) },
  },
  start: watchServer,
})
