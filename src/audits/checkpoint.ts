import { isSignedBy, type LedgerKey, type PublicLedgerKey } from "../statements/seal.ts";

/** What an audit that found nothing wrong has seen, so that the next one can continue from there. */
interface Checkpoint {
  /** The number of that audit. */
  readonly auditNumber: number;
  /** The last audit that looked at everything. All after it continued from one another. */
  readonly fullAudit: number;
  /** How everything stood: see take-checkpoint.ts. */
  readonly content: string;
}

export interface SignedCheckpoint extends Checkpoint {
  /** Of the key that signed. */
  readonly keyId: string;
  readonly signature: Buffer;
}

export function signCheckpoint(key: LedgerKey, checkpoint: Checkpoint): SignedCheckpoint {
  return { ...checkpoint, keyId: key.id, signature: key.sign(checkpointText(checkpoint)) };
}

/** Whether one of these keys has signed it. */
export function isGenuineCheckpoint(
  keys: readonly PublicLedgerKey[],
  checkpoint: SignedCheckpoint,
): boolean {
  const { keyId, signature } = checkpoint;
  return isSignedBy(keys, keyId, checkpointText(checkpoint), signature);
}

/** What is signed. Its first line keeps it apart from everything else that the key signs. */
function checkpointText({ auditNumber, fullAudit, content }: Checkpoint): string {
  return `cauri audit checkpoint 1\naudit ${auditNumber}\nfull ${fullAudit}\n${content}\n`;
}
