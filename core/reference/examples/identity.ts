import { example } from '../../platform/geo/countries/index.ts'
import { exampleId } from './ids.ts'

const { email, otherEmail } = example
const name = 'Amina Saadi'
const password = 'correct horse battery'
const app = {
  name: 'Order Printer',
  description: 'Prints delivery notes of confirmed orders.',
  website: 'https://app.example',
  redirectUris: ['https://app.example/callback'],
}
const redirectUri = 'https://app.example/callback'
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const credentialId = 'AQIDBAUGBwgJCgsMDQ4PEA'
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiLi4uIn0'
const client = { client_id: exampleId('app'), client_secret: 'cs_…' }
const form = { csrf: 'read it from the page', action: 'signin', email, password }

/** Examples of accounts, tenants, keys, apps and sign-in, by schema or operation. */
export const identity: Readonly<Record<string, unknown>> = {
  SignIn: { email, password },
  SecondFactorCode: { secondFactor: '492039' },
  SecondFactorEnd: { currentPassword: password, secondFactor: '492039' },
  UserChange: { name, language: 'fr' },
  GivenCode: { id: exampleId('cod'), code: '49203917' },
  CodeUse: { id: exampleId('cod'), code: '49203917' },
  EmailConfirmation: { token: 'ml_…' },
  NewAccountTransfer: { email: otherEmail, currentPassword: password },
  UserReplacement: { name: 'Amina Saadi-Haddad', email },
  UserPatch: { name: 'Amina Saadi-Haddad' },
  AdminAppointment: { email: otherEmail },
  LoginAs: { userId: exampleId('usr'), reason: 'She asked for help with her delivery prices.' },
  AdminEmail: {
    userIds: [exampleId('usr')],
    subject: 'Maintenance on Friday',
    message: 'The server restarts on Friday at 02:00. Orders are not affected.',
    language: 'fr',
  },
  AdminNotification: { userIds: [exampleId('usr')], title: 'Maintenance on Friday', message: 'The server restarts on Friday at 02:00.' },
  NewTenant: { name: 'Saadi Commerce' },
  TenantChange: { name: 'Saadi Commerce', people: [{ email: otherEmail, role: 'admin' }] },
  NewProject: { name: 'Storefront' },
  ProjectChange: { name: 'Storefront', products: ['parcels', 'inventory', 'geo', 'webhooks'] },
  NewApiKey: { name: 'Storefront server', scopes: ['products:read', 'orders:write'], expiresAt: '2031-01-01T00:00:00.000Z' },
  NewApp: { ...app, scopes: ['orders:read'] },
  AppChange: app,
  writeAppPublicData: { welcome: 'Print your orders with one tap.' },
  writeAppPrivateData: { licenseServer: 'https://app.example/licenses' },
  writeMyAppData: { paper: 'a6' },
  writeUserAppData: { paper: 'a4' },
  StoreInvitationAnswer: { token: 'it_…' },
  Decision: { action: 'allow', project: exampleId('prj') },
  ClientRegistration: { redirect_uris: [redirectUri], client_name: app.name, client_uri: app.website, scope: 'orders:read' },
  confirmEmailByForm: { token: 'ml_…' },
  resetPassword: { token: 'ml_…', password },
  decideTransfer: { token: 'tr_…', action: 'accept' },
  answerInvitation: { token: 'it_…', action: 'accept' },
  'socialCallback.POST': { code: '4/0AX4XfWh…', state: 'read it from the redirect' },
  'socialLinkCallback.POST': { code: '4/0AX4XfWh…', state: 'read it from the redirect' },
  oauthDecide: form,
  oauthDecideV1: form,
  oauthToken: { grant_type: 'authorization_code', code: 'ac_…', redirect_uri: redirectUri, code_verifier: verifier, ...client },
  oauthTokenV1: { grant_type: 'authorization_code', code: 'ac_…', redirect_uri: redirectUri, code_verifier: verifier, ...client },
  oauthRevoke: { token: 'at_…', token_type_hint: 'access_token', ...client },
  oauthRevokeV1: { token: 'at_…', token_type_hint: 'access_token', ...client },
  oauthIntrospect: { token: 'at_…', token_type_hint: 'access_token', ...client },
  oauthIntrospectV1: { token: 'at_…', token_type_hint: 'access_token', ...client },
  SocialUnlink: { provider: 'google' },
  SocialToken: { token: 'eyJhbGciOiJSUzI1NiJ9.…', nonce: 'n-0S6_WzA2Mj' },
  SocialCode: { code: '4/0AX4XfWh…', redirectUri, codeVerifier: verifier, nonce: 'n-0S6_WzA2Mj' },
  PasskeyRegistration: {
    id: exampleId('pkc'),
    name: 'Phone',
    response: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg', transports: ['internal'] },
    },
  },
  PasskeyAuthentication: {
    id: exampleId('pkc'),
    response: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: {
        clientDataJSON,
        authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
        signature: 'MEUCIQDxPvQ7zQwRkzvJq0mYb9c',
      },
    },
  },
}
