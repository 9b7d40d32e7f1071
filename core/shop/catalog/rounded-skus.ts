import { invalidValue } from '../../http/errors/errors.ts'
import { describeRounded, isRoundedBySpreadsheet } from '../../lib/money/parse-number.ts'

type WrittenSku = string | null | undefined

/**
 * Throws `invalid_request` for a sku that a spreadsheet has rounded, such as a barcode in scientific notation: barcodes with one beginning
 * would all become one sku. Skus in `known` are accepted, since older data may contain them.
 */
export function assertNoRoundedSku(
  { sku, variants = [] }: { readonly sku?: WrittenSku; readonly variants?: readonly { readonly sku?: WrittenSku }[] | undefined },
  known: readonly WrittenSku[] = [],
): void {
  const check = (written: WrittenSku, path: string) => {
    if (typeof written === 'string' && isRoundedBySpreadsheet(written) && !known.includes(written))
      throw invalidValue(path, describeRounded(written))
  }
  check(sku, '/body/sku')
  for (const [at, variant] of variants.entries()) check(variant.sku, `/body/variants/${at}/sku`)
}
