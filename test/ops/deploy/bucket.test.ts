/** The policies of the bucket: the service may do what it does, readers may only read the market, and nothing expires under a table. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { TABLES_PREFIX } from '../../../storage/keys.ts';

const read = (path: string) => readFileSync(path, 'utf8');

interface Statement {
  readonly Action: readonly string[];
  readonly Resource: string;
  readonly Condition?: object;
}

const statementsOf = (name: string): readonly Statement[] =>
  JSON.parse(read(`ops/deploy/bucket/${name}.json`)).Statement;

/** The permission that each call needs. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  AbortMultipartUploadCommand: 's3:AbortMultipartUpload',
  DeleteObjectCommand: 's3:DeleteObject',
  GetObjectCommand: 's3:GetObject',
  HeadBucketCommand: 's3:ListBucket',
  HeadObjectCommand: 's3:GetObject',
  ListMultipartUploadsCommand: 's3:ListBucketMultipartUploads',
  PutObjectCommand: 's3:PutObject',
  paginateListObjectsV2: 's3:ListBucket',
};

describe('the policies of the bucket', () => {
  it('allow the service each of its calls, and no other', () => {
    const [, imported] = required(/import \{([^}]*)\} from '@aws-sdk\/client-s3'/.exec(read('storage/s3.ts')));
    const calls = imported.match(/\w+Command|paginate\w+/g) ?? [];
    const needed = new Set(calls.map((call) => required(PERMISSIONS[call], call)));
    const allowed = statementsOf('service').flatMap(({ Action }) => Action);
    expect(allowed.toSorted()).toEqual([...needed].sort());
  });

  it('allow readers nothing but to find and read the files of the market', () => {
    const [objects, list] = statementsOf('readers');
    expect([objects.Action, list.Action]).toEqual([['s3:GetObject'], ['s3:ListBucket']]);
    expect(list.Condition).toEqual({ StringLike: { 's3:prefix': 'lake/*' } });
    expect(TABLES_PREFIX.startsWith('lake/')).toBe(true);
    expect(objects.Resource).toMatch(/:market-data\/lake\/\*$/);
  });

  it('let the bucket expire only versions that the service has removed, and unfinished uploads', () => {
    const { Rules } = JSON.parse(read('ops/deploy/bucket/lifecycle.json'));
    expect(Rules).toHaveLength(1);
    expect(Rules[0].Expiration).toEqual({ ExpiredObjectDeleteMarker: true });
    expect(Rules[0].NoncurrentVersionExpiration.NoncurrentDays).toBeGreaterThan(1);
    expect(Rules[0].AbortIncompleteMultipartUpload.DaysAfterInitiation).toBeGreaterThan(1);
  });
});
