import type { Vault } from '../../../lib/crypto/crypto.ts'
import { nonceIn } from './dpop.ts'

/** Length of a slot in milliseconds. A nonce is valid for at least one slot and at most two. */
const SLOT_MS = 5 * 60_000

/**
 * Nonces of DPoP proofs, for apps that require them (RFC 9449, sections 8 and 9). They are derived from the time and the server's key, so
 * nothing is stored and all processes agree.
 */
export interface DpopNonces {
  /** Returns the nonce of the current slot. */
  fresh(): string
  /** Tells if a proof carries a valid nonce. It does not verify the signature of the proof. */
  isIn(proof: string): boolean
}

/** Creates the nonces from the key of the vault. */
export function dpopNonces(vault: Pick<Vault, 'fingerprint'>): DpopNonces {
  const slotNow = () => Math.floor(Date.now() / SLOT_MS)
  const nonceOf = (slot: number) => vault.fingerprint(`dpop nonce ${slot}`)
  return {
    fresh: () => nonceOf(slotNow()),
    isIn(proof) {
      const [nonce, slot] = [nonceIn(proof), slotNow()]
      // The next one is of a process whose clock is further.
      return nonce !== undefined && [slot, slot - 1, slot + 1].some((each) => nonceOf(each) === nonce)
    },
  }
}
