import type { Meanings } from './group.ts'

/** Meanings of the values of accounts, tenants, keys, apps and sign-in. */
export const identity: readonly Meanings[] = [
  {
    member: 'May look at the organization and all of its projects.',
    admin: 'Also edits projects, keys and the people of the organization.',
    owner: 'Has every right; alone may delete the organization.',
  },
  {
    'geo:read': 'List and search states, cities and pickup points.',
    'geo:resolve': 'Turn written addresses into codes of states and cities.',
    'ai:read': 'See models, tasks, results and the remaining credit.',
    'ai:generate': 'Start work for models, which spends credit of the project.',
    'tenants:manage': 'Create projects and keys, and manage people in the whole organization. Give it rarely.',
    'webhooks:manage': 'See and edit endpoints, their secrets and their deliveries.',
    'inventory:read': 'See balances, movements and reservations.',
    'inventory:write': 'Also receive, move, reserve and correct stock.',
    'parcels:read': 'See shipments, their progress and labels. A key also sees their cash.',
    'parcels:write': 'Also create, submit, edit and cancel shipments. A key also records payouts of carriers.',
    'stores:read': 'See settings, delivery prices, pages and connections.',
    'stores:write': 'Also edit settings, delivery prices, pages and connections.',
    'orders:read': 'See orders, customers and payments. A key also sees payouts of gateways and figures.',
    'orders:write': 'Also create, confirm, edit, send and refund orders. A key also accepts payouts of gateways.',
    'products:read': 'See the catalogue, drafts included.',
    'products:write': 'Also create, edit and delete goods, categories and promotions.',
    'members:read': 'See who belongs to the store and open invitations.',
    'members:manage': 'Also invite people, and edit their roles and permissions.',
    'cash:read': 'See what carriers and gateways owe and paid out.',
    'cash:write': 'Also import, confirm and reverse payouts.',
    'figures:read': 'See revenue, rates, costs of advertising and the results of agents.',
    'audit:read': 'See who changed what, with the value before.',
  },
  {
    parcels: 'Carriers, shipments, labels and cash on delivery.',
    inventory: 'Stock with reservations, batches and costs.',
    geo: 'States, cities and reading of addresses.',
    ai: 'Paid work for models. Off for new projects.',
    webhooks: 'Notices of events to your own server.',
  },
  {
    open: 'Waits for the other person; only one offer can wait at a time.',
    accepted: 'Everything that the account owned belongs to the other person now.',
    declined: 'The other person refused; nothing changed hands.',
    replaced: 'A newer offer took its place, so its link no longer works.',
  },
  {
    active: 'In normal use; its data can be read and written.',
    deleting: 'Its owner started the removal; stores and projects stay closed unless that is cancelled.',
  },
  {
    active: 'Requests that carry it are accepted.',
    expired: 'Its `expiresAt` has passed, so requests fail. Create another.',
    revoked: 'Somebody made it invalid for good. Create another.',
  },
  {
    signin: 'The form has an e-mail address and a password, to begin a session.',
    allow: 'The user grants the app what it asks for.',
    deny: 'The user refuses; the app gets `access_denied`.',
    switch: 'The user wants to continue under a different account.',
  },
  { allow: 'The user grants the app what it asks for.', deny: 'The user refuses; the app gets `access_denied`.' },
  {
    authorization_code: 'First exchange: send `code`, `redirect_uri` and `code_verifier`.',
    refresh_token: 'Later renewal: send `refresh_token`; the answer replaces it.',
  },
  {
    access_token: 'The short-lived credential of requests, `at_…`.',
    refresh_token: 'The long-lived credential of renewals, `rt_…`.',
  },
  {
    confidential: 'Runs on a server and authenticates with its secret.',
    public: 'Runs on the user’s device, cannot hide a secret and uses PKCE alone.',
  },
  {
    sign_in: 'Opens a session without a password.',
    verify_email: 'Proves that the address belongs to the user.',
    reset_password: 'Lets the user choose a password without the former one.',
  },
  {
    password: 'Opened with e-mail address and secret phrase.',
    code: 'Opened with a one-time number from an e-mail.',
    passkey: 'Opened with a device or security key, without typing.',
    social: 'Opened through an outside provider.',
    admin: 'Opened by a platform administrator in your name; end it if you did not agree.',
  },
  {
    signed_in: 'An existing account was recognized and has a session.',
    signed_up: 'A new account was created and has a session.',
    linked: 'The provider was added to the present account; `token` is null.',
  },
  {
    connected: 'Authorization is complete; the connection can be used.',
    denied: 'The user refused on the page of the platform. They may start again.',
    failed: 'The platform gave no usable answer. Start again later.',
  },
  {
    light: 'Dark text on a bright page.',
    dark: 'Bright text on a page that is nearly black.',
  },
  {
    comfortable: 'Rows have room around their text, for fingers.',
    compact: 'More rows fit on the screen, for a mouse.',
  },
]
