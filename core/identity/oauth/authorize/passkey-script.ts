/** Path of the script of the sign-in page. */
export const PASSKEY_SCRIPT_PATH = '/oauth/sign-in.js'

/**
 * Script of the sign-in page. It shows the passkey button when the browser supports passkeys, and submits the response of the
 * authenticator.
 */
export const PASSKEY_SCRIPT = `const form = document.getElementById('passkey')
const problem = document.getElementById('passkey-problem')
const canAsk = window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON
if (form && canAsk) {
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    problem.hidden = true
    try {
      const answer = await fetch('/v1/passkeys/authenticate/start', { method: 'POST' })
      const { data } = await answer.json()
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.options)
      const credential = await navigator.credentials.get({ publicKey })
      form.elements.passkey.value = JSON.stringify({ id: data.id, response: credential.toJSON() })
      form.submit()
    } catch {
      problem.hidden = false
    }
  })
}
`
