import { api } from '../api/client.ts'
import { unwrap } from '../api/errors.ts'

/** True where the browser knows passkeys: in a secure context only. */
export const hasPasskeys = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks the device for a passkey of this server. Throws when the user declines. */
export async function requestPasskey(): Promise<{ readonly id: string; readonly response: unknown }> {
  const { data: ceremony } = await unwrap(api.POST('/v1/passkeys/authenticate/start', {}))
  const options = ceremony.options as unknown as PublicKeyCredentialRequestOptionsJSON
  const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The device offered no passkey.')
  return { id: ceremony.id, response: credential.toJSON() }
}
