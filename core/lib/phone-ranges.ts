/**
 * Numbers in use that the plan of libphonenumber lacks, by country calling code: their digits without prefix. Mobile numbers of Algeria begin
 * with 05, 06 or 07; the library lags behind the ranges that its operators are given.
 */
export const furtherRanges: Readonly<Record<string, RegExp>> = { '213': /^[5-7]\d{8}$/ }
