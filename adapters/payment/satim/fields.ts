import type { AdapterContext, Fields } from 'serai/payment'

/** Hosts: certification, shops that passed it, and the two live ones. */
export const HOSTS = ['test2.satim.dz', 'test.satim.dz', 'cib.satim.dz', 'satim.dz'] as const

/** Known confirmation calls, with their parameter for the order. */
export const confirmations = { 'confirmOrder.do': 'orderId', 'public/acknowledgeTransaction.do': 'mdOrder' } as const

export const credentials = {
  userName: { label: 'User name', help: 'That of the interface, from your bank or SATIM; it is not the one of the console.' },
  password: { label: 'Password', secret: true },
  terminalId: {
    label: 'Terminal',
    pattern: '[A-Za-z0-9]{1,16}',
    help: 'The number that your bank gave to your shop: E and digits.',
  },
} as const satisfies Fields

export const settings = {
  host: {
    label: 'Server',
    options: HOSTS,
    default: HOSTS[0],
    help: 'test2.satim.dz until SATIM certified your shop. Which of the two live ones is yours, cib.satim.dz or satim.dz, stands in their letter.',
  },
  sessionMinutes: {
    label: 'Minutes to pay in',
    type: 'number',
    default: 15,
    help: '10 to 1440. The longer, the later a payment is confirmed whose payer never comes back, and SATIM gives back what is not confirmed in time.',
  },
  confirmation: {
    label: 'Call that confirms',
    options: Object.keys(confirmations),
    default: 'confirmOrder.do',
    help: 'The other one, where SATIM answers that your account may not use this one.',
  },
  languageCase: { label: 'Languages are written', options: ['upper', 'lower'], default: 'upper', help: 'FR or fr: its documents differ.' },
  fundingType: {
    label: 'Kind of funding',
    options: ['CP', '698'],
    optional: true,
    help: 'Only for collecting bills, as SATIM assigned it; shops leave it empty.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

/** Language of messages. English, because some error codes are told apart by their message. */
export const languageOf = ({ settings }: Context) => (settings.languageCase === 'lower' ? 'en' : 'EN')
